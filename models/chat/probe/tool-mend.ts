// The one step that brings native tool calling, as far as the name of the model tells.
export function toolMend(id: string): string {
  if (id.startsWith('chat/ollama/')) return 'Use a model that "ollama show" lists with tools.'
  if (!id.startsWith('chat/openai/')) return 'Use a model that calls tools, or set toolMode to "schema".'
  const parser = parsers.find(([pattern]) => pattern.test(id))?.[1] ?? 'hermes'
  return `Start vLLM with --enable-auto-tool-choice --tool-call-parser ${parser} (llama-server: --jinja), or set toolMode to "schema".`
}

// The names of vLLM's parsers, by the family of the model; more special ones first.
const parsers: [RegExp, string][] = [
  [/qwen-?3.*coder/i, 'qwen3_coder'],
  [/llama-?4/i, 'llama4_pythonic'],
  [/llama-?3/i, 'llama3_json'],
  [/mistral|ministral|devstral|magistral/i, 'mistral'],
  [/deepseek-v3\.1/i, 'deepseek_v31'],
  [/deepseek/i, 'deepseek_v3'],
  [/granite/i, 'granite'],
  [/gpt-oss/i, 'openai'],
  [/glm-?4/i, 'glm45'],
  [/kimi/i, 'kimi_k2'],
  [/phi-?4-mini/i, 'phi4_mini_json'],
]
