// What a model does is told by its name: the protocol has no request for it.

// In doubt a model may think before it answers.
export function mayThink(model: string): boolean {
  return !/instruct|(^|\/)(gpt-(3\.5|4)|chatgpt-4)/i.test(model) || /think|reason/i.test(model)
}

// The fields that ask a model to answer at once: hosted models that think know an effort, servers of open ones pass a
// word on to the chat template.
export function notThinking(model: string): object {
  if (!mayThink(model) || /(^|\/)claude/i.test(model)) return {}
  if (/(^|\/)gpt-oss/i.test(model)) return { reasoning_effort: 'low' }
  if (/(^|\/)(gpt-|o\d|gemini-)/i.test(model)) return { reasoning_effort: 'minimal' }
  return { chat_template_kwargs: { enable_thinking: false } }
}

// What to ask with next, after a reply that thought all the same: Ollama and routers pass no word on to a template.
export function afterThinking(asked: object): object {
  return 'chat_template_kwargs' in asked ? { reasoning_effort: 'none' } : asked
}
