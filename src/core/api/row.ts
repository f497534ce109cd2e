import { z } from 'zod'
import { Answer, Question, Step, StopReason, Votes } from '../agent.ts'
import { Usage } from '../chat.ts'
import { Evidence, Track } from '../evidence.ts'
import { Coverage } from '../video.ts'

// A row as answers, searches and lists show it: without the times of its single words.
export const Row = Evidence.omit({ words: true, video: true }).extend({ link: z.string().optional() })

export const ShortVideo = z.object({
  id: z.string(),
  path: z.string(),
  duration: z.number(),
  address: z.string().optional(),
})
const NamedVideo = ShortVideo.extend({ name: z.string() })

const Range = z.tuple([z.number(), z.number()]) // of characters of a text, the second without

export const RowPage = z.object({
  rows: z.array(Row.extend({ doubtful: z.array(Range).optional() })), // words of speech that were heard with doubt
  cursor: z.string().optional(),
})

// As "longtake search --all --json" prints it.
export const SearchReport = z.object({
  hits: z.array(
    z.object({
      video: NamedVideo,
      score: z.number(), // only the order means something
      evidence: Row,
      terms: z.array(z.string()),
      lists: z.array(z.string()),
      coverage: z.number().optional(), // what share of the query its words are
      likeness: z.number().optional(), // of its meaning or picture to the query
    }),
  ),
  searched: z.array(NamedVideo.extend({ coverage: Coverage })),
  notSearched: z.array(
    z.object({
      id: z.string(),
      path: z.string().optional(),
      name: z.string().optional(),
      why: z.string(),
      mend: z.string(),
    }),
  ),
  profile: z.string(),
})

// As "longtake ask --json" prints it.
export const AskReply = z.object({
  video: ShortVideo,
  question: Question.omit({ refers: true }),
  resolved: z.object({ question: z.string(), references: z.array(z.looseObject({})) }).optional(),
  answer: Answer,
  evidence: z.array(Row.extend({ video: z.looseObject({ id: z.string() }).optional() })), // the cited rows first; video: of a question over all
  coverage: Coverage,
  steps: z.array(Step),
  usage: Usage.required(),
  stop: StopReason,
  profile: z.string(),
  run: z.string(), // its folder
  session: z.string().optional(),
  library: z.looseObject({}).optional(), // of a question over all videos: what was searched, found and asked
  votes: Votes.optional(), // where the answer was unsure and more runs answered too
})
export type AskReply = z.infer<typeof AskReply>

export const TrackList = z
  .string()
  .transform(text => text.split(','))
  .pipe(z.array(Track))
