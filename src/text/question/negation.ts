// Two readings of a "not": the wide one of the agent, which warns the planner, and the strict one that the rules answer by. They differ
// on "what should one not bring?", where the video may say just that.

// "Which of these did not happen", "all of the following except".
export function isNegated(question: string): boolean {
  return (
    /\bexcept\b|\b(?:is|are|was|were|does|do|did|has|have|can|could|will|would)(?:n['’]t| not)\b|\bnot\b|\bnever\b/i.test(
      question,
    ) &&
    /\b(which|what|who|where|all of (the|these))\b/i.test(question) &&
    !/^\s*why\b/i.test(question)
  )
}

// "Which of these is NOT mentioned?" wants the one without evidence.
export function asksForTheOdd(text: string): boolean {
  if (/\bNOT\b|\bexcept\b|\b(false|incorrect|untrue)\b/.test(text)) return true
  return /\b(which|what)\b[^,]*\b(is|are|was|were|does|do|did|has|have)(n't| not| never)\b/i.test(text)
}
