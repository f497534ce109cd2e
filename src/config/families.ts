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

// The maker of a model by its name: the first family of which a part of the name is in it; none if no family fits.
export function findMaker(model: string, families: Record<string, string[]>): string | undefined {
  const name = model.toLowerCase()
  return Object.entries(families).find(([, parts]) => parts.some(part => name.includes(part.toLowerCase())))?.[0]
}
