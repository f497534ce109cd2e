// What a model does is told by its name: the protocol has no request for it.

// In doubt a model may think before it answers.
export function mayThink(model: string): boolean {
  return !/instruct|(^|\/)(gpt-(3\.5|4)|chatgpt-4)/i.test(model) || /think|reason/i.test(model)
}

// The fields that ask a model to answer at once: hosted models that think know an effort, servers of open ones pass a
// word on to the chat template.
export function notThinking(model: string): object {
  if (!mayThink(model) || /(^|\/)claude/i.test(model)) return {}
  if (/(^|\/)(gpt-oss|gemini-(3\.[7-9]|[4-9]))/i.test(model)) return { reasoning_effort: 'low' } // they refuse "minimal"
  if (/(^|\/)(gpt-|o\d|gemini-)/i.test(model)) return { reasoning_effort: 'minimal' }
  return { chat_template_kwargs: { enable_thinking: false } }
}

// What to ask with after a reply that thought although this was sent: Ollama and routers know the effort alone.
export function afterThinking(sent: object, asked: object): object {
  const { chat_template_kwargs: words } = sent as { chat_template_kwargs?: { enable_thinking?: unknown } }
  return words?.enable_thinking === false ? { ...asked, reasoning_effort: 'none' } : asked
}
