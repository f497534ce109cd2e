// An option of multiple choice without its letter: "(B) A dog" is "A dog".
export function optionText(option: string): string {
  return option.replace(/^\s*\(?[A-J][).:]\s+/i, '')
}

// Only its words, to compare options with each other and with what a model says.
export function optionWords(option: string): string {
  return optionText(option)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

// "None of the above", "The video does not say", "It cannot be determined".
export function isNone(option: string): boolean {
  return (
    /^i (do not|don['’]t) know\b/i.test(option) ||
    /^(none|neither)( of (the above|these|them|the options|the others))?\.?$/i.test(option) ||
    /^(it|this|that|(the|this) (video|clip|film|recording|speaker|answer|text))\b.*\b(does|do|did|is|are|was|can|could)(n['’]t| not)\b.*\b(say|said|mention(ed)?|stated?|specif(y|ied)|given|show|shown|tell|told|known|determined?|answered?|in the video)\b/i.test(
      option,
    ) ||
    /^(not (mentioned|stated|given|specified|in the video|shown)|cannot (be )?(determined?|tell|known|say)|unknown|unclear|not enough information)\b/i.test(
      option,
    )
  )
}
