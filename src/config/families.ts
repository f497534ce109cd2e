// Makers of models, each by parts of the names of their models.
export const usualFamilies: Record<string, string[]> = {
  openai: ['gpt-', 'gpt4', 'o1-', 'o3-', 'o4-'],
  google: ['gemini', 'gemma'],
  alibaba: ['qwen', 'qwq'],
  anthropic: ['claude'],
  meta: ['llama'],
  mistral: ['mistral', 'mixtral', 'magistral', 'pixtral'],
  deepseek: ['deepseek'],
  openbmb: ['minicpm'],
  opengvlab: ['internvl', 'internlm'],
}
