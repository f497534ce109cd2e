import { z } from 'zod'
import { once } from '../../../src/core/basics/once.ts'
import { type ChatRequest, textContent } from '../../../src/core/chat.ts'
import { contentHash } from '../../../src/core/json.ts'
import { formatSpan, type Span } from '../../../src/core/time.ts'
import { OverviewSentence } from '../../../src/core/video.ts'
import { dataRule, fence } from '../../../src/core/words/fence.ts'

// What the writer of an overview is asked at each of its levels.

type Level = 'clip' | 'scene' | 'chapter' | 'whole'

// A numbered piece of what a request shows.
export interface StoryPiece {
  span: Span
  title?: string
  lines: string[] // rows as they are listed, or sentences with the ids of their rows
}

const sentences = z.array(OverviewSentence)
const open = z.array(OverviewSentence).describe('questions that this part raises and does not answer')

export const ClipsReply = z.strictObject({ clips: z.array(z.strictObject({ number: z.number().int(), sentences })) })
export const JoinedReply = z.strictObject({
  parts: z.array(
    z.strictObject({ first: z.number().int().describe('number of its first piece'), title: z.string(), sentences }),
  ),
  open,
})
export const WholeReply = z.strictObject({ sentences, open })

const replies = { clip: ClipsReply, scene: JoinedReply, chapter: JoinedReply, whole: WholeReply }

export const sentencesAtMost = { clip: 4, scene: 4, chapter: 5, whole: 8 } as const
export const replyTokens = { clip: 2400, scene: 2400, chapter: 2400, whole: 1600 } as const

const common = `Every sentence cites the ids of the rows that bear it out, six at most. Names and numbers are those that its rows write; nothing is guessed, and nothing is counted. Use the present tense and the language of the rows. Write no times and no ids in a text.
${dataRule}`

const openRule =
  '"open" lists up to five questions that are raised here and not answered here, each ending with a question mark, with the ids of the rows that raise it.'

const rules: Record<Level, string> = {
  clip: `You write what happens in each clip of a long video, from its rows: what is said, shown as text, heard, and seen. Reply as JSON: {"clips":[{"number","sentences":[{"text","cites":[ids]}]}]}, every clip once. One to ${sentencesAtMost.clip} sentences for a clip, in the order of time, which say what is told or done rather than that somebody talks.
${common}`,
  scene: `You join neighbouring clips of a long video to scenes: clips that share a place, a task or a subject. Reply as JSON: {"parts":[{"first","title","sentences":[{"text","cites":[ids]}]}],"open":[{"text","cites":[ids]}]}. "first" is the number of the first clip of a scene, the first scene begins with clip 1, and each lasts until the next begins. A title of two to eight words, and one to ${sentencesAtMost.scene} sentences for a scene, with the ids that stand behind the sentences which they sum up.
${openRule}
${common}`,
  chapter: `You join neighbouring scenes of a long video to a few chapters: the main steps of its content, seldom more than eight. Reply as JSON: {"parts":[{"first","title","sentences":[{"text","cites":[ids]}]}],"open":[{"text","cites":[ids]}]}. "first" is the number of the first scene of a chapter, the first chapter begins with scene 1, and each lasts until the next begins. A title of two to eight words, and one to ${sentencesAtMost.chapter} sentences for a chapter, with the ids that stand behind the sentences which they sum up.
${openRule}
${common}`,
  whole: `You sum up a long video from its chapters: what it is, who and what it is about, how it goes and how it ends. Reply as JSON: {"sentences":[{"text","cites":[ids]}],"open":[{"text","cites":[ids]}]}. Three to ${sentencesAtMost.whole} sentences in the order of time, with the ids that stand behind the sentences which they sum up.
${openRule} Of the questions listed as open keep those that no later part answers.
${common}`,
}

// A change of what is asked makes the overview anew.
export const promptsHash = contentHash([rules, sentencesAtMost, replyTokens]).slice(0, 16)

const schemas = once(
  () =>
    Object.fromEntries(
      Object.entries(replies).map(([level, shape]) => [level, { name: level, schema: z.toJSONSchema(shape) }]),
    ) as Record<Level, { name: string; schema: object }>,
)

export function storyRequest(level: Level, pieces: readonly StoryPiece[], questions: readonly string[]): ChatRequest {
  const pieceTexts = pieces.map(({ span, title, lines }, at) =>
    [`${at + 1}. ${formatSpan(span)}${title ? ` ${title}` : ''}`, ...lines].join('\n'),
  )
  const openQuestions = questions.length > 0 ? [fence('open questions', questions.join('\n'))] : []
  return {
    purpose: 'summarise',
    messages: [
      { role: 'system', content: textContent(rules[level]) },
      {
        role: 'user',
        content: textContent([fence(`${pieceNames[level]}s`, pieceTexts.join('\n')), ...openQuestions].join('\n\n')),
      },
    ],
    schema: schemas()[level],
    temperature: 0,
    maxTokens: replyTokens[level],
  }
}

const pieceNames: Record<Level, string> = { clip: 'clip', scene: 'clip', chapter: 'scene', whole: 'chapter' }

// The same once more, with what was wrong with the reply. That quotes the video, so it stands in a fence.
export function retrySentences(request: ChatRequest, faults: readonly string[]): ChatRequest {
  const [rule, shown] = request.messages
  if (!rule || !shown) return request
  const wrong = faults.slice(0, 8).map(fault => fault.slice(0, 240))
  const again = `An earlier reply had these faults; write it without them:\n${fence('faults', wrong.join('\n'))}`
  return {
    ...request,
    messages: [rule, { ...shown, role: 'user', content: [...shown.content, ...textContent(`\n\n${again}`)] }],
  }
}

export const overhead = 420 + 620 + 560 // tokens of the rules, of the faults of an earlier reply, and of open questions, at most
export const questionTokens = 520

export function sentenceLine({ text, cites }: OverviewSentence): string {
  return `- ${text} [${cites.join(' ')}]`
}
