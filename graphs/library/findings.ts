import type { AskedLibrary, AskedVideo, Question, Sentence } from '../../src/core/agent.ts'
import type { KnownVideo } from '../../src/core/library.ts'
import { optionWords } from '../../src/text/option.ts'
import { tokens } from '../../src/text/words.ts'

// What one video had to say, and how much that is worth beside the others.
export interface VideoFinding extends AskedVideo {
  held: Sentence[] // with rows
  value: number // 0: it has no answer
}

// The best first: how sure the agent was inside of the video, how well the video fits the question, and a little how many of its words,
// small ones too, stand in the rows: "what you can do for your country" is said in one of two videos about countries.
export function listFindings(
  { text }: Question,
  { found, asked }: AskedLibrary,
  textOf: (id: string) => string,
): VideoFinding[] {
  const words = new Set(tokens(text).map(({ stem }) => stem))
  const shared = (held: readonly Sentence[]) => {
    const sentencesText = new Set(
      tokens(held.flatMap(({ cites }) => cites.map(textOf)).join('\n')).map(({ stem }) => stem),
    )
    return [...words].filter(word => sentencesText.has(word)).length / Math.max(1, words.size)
  }
  const scores = new Map(found.map(({ video, score }) => [video.id, score]))
  const top = Math.max(0, ...scores.values()) || 1
  return asked
    .map(one => {
      const supportedSentences = one.answer.sentences.filter(({ cites }) => cites.length > 0)
      const answers = !one.answer.abstained && supportedSentences.length > 0
      const fits = 0.4 + 0.6 * ((scores.get(one.video.id) ?? 0) / top)
      return {
        ...one,
        held: supportedSentences,
        value: answers ? one.answer.confidence * fits * (0.8 + 0.2 * shared(supportedSentences)) : 0,
      }
    })
    .sort((a, b) => b.value - a.value)
}

// The findings that are told: the best, and of the others those that are nearly as good where more than one is asked for.
export function chooseFindings(findings: readonly VideoFinding[], several: boolean): VideoFinding[] {
  const [best] = findings
  if (!best || best.value === 0) return []
  return several ? findings.filter(({ value }) => value >= nearly * best.value) : [best]
}

const nearly = 0.5

// The option that was chosen inside of the best video, or that names it.
export function findChoice({ options = [] }: Question, findings: readonly VideoFinding[]): number | undefined {
  if (options.length === 0) return undefined
  const best = findings.find(({ value }) => value > 0)
  const named = best ? options.findIndex(option => isVideoName(best.video, option)) : -1
  if (named >= 0) return named
  return [best, ...findings].find(one => one?.answer.choice !== undefined)?.answer.choice
}

function isVideoName({ name }: KnownVideo, option: string): boolean {
  const words = optionWords(option)
  return words !== '' && [name, name.replace(/\.\w{1,5}$/, '')].some(one => optionWords(one) === words)
}
