import { words } from '../../python/text.ts'

const refusals = [
  "Sorry, I can't help with images of people yet.",
  "I can't process this file.",
  "I'm sorry, but without the image provided",
  'Cannot determine the answer',
]
// A to D only, and no word boundary after it: "answer is doubtful" reads as D there.
const declared = /(?:correct\s+)?answer\s+is\s+\**([ABCD])\**/i

// The option that VLMEvalKit takes from a reply: the only letter among the words, if it is one of the last five; then
// "answer is X"; 'Z' for a refusal; undefined where it would ask a judge.
export function vlmEvalKitLetter(reply: string, letters: readonly string[]): string | undefined {
  if (reply.includes('Failed to obtain answer via API')) return undefined
  if (refusals.some(refusal => reply.includes(refusal))) return 'Z'
  const tokens = words(reply.replace(/[.()[\],:;!*#{}]/g, ' '))
  const found = letters.filter(letter => tokens.includes(letter))
  if (found.length === 1 && tokens.indexOf(found[0]) > tokens.length - 5) return found[0]
  if (found.length === 0 && tokens.includes('Z')) return 'Z'
  const letter = declared.exec(reply)?.[1].toUpperCase()
  return letter !== undefined && letters.includes(letter) ? letter : undefined
}

// As above, then the only option whose text the reply contains.
export function vlmEvalKitChoice(reply: string, options: Record<string, string>): string | undefined {
  const letter = vlmEvalKitLetter(reply, Object.keys(options))
  if (letter !== undefined) return letter
  const lower = reply.toLowerCase()
  const texts = Object.values(options)
  if (lower.length > 2 * texts.reduce((sum, text) => sum + text.length, 0)) return undefined
  const contained = Object.keys(options).filter(key => lower.includes(options[key].toLowerCase()))
  return contained.length === 1 ? contained[0] : undefined
}
