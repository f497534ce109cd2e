// Whether a model may think before it answers, by its name: the protocol does not tell. In doubt it may.
export function mayThink(model: string): boolean {
  return !/instruct|(^|\/)(gpt-(3\.5|4)|chatgpt-4)/i.test(model) || /think|reason/i.test(model)
}
