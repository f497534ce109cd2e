import type { Job } from '../../../../src/core/api/job.ts'
import { Refused } from '../../../../src/core/api/problem.ts'
import { libraryGraph } from '../../../../src/core/library.ts'
import { formatMoment } from '../../../../src/core/time.ts'
import type { Video } from '../../../../src/core/video.ts'
import { countPhrase } from '../../../../src/core/words/counted.ts'
import { checkQuestion } from '../../../../src/text/question/check-question.ts'
import type { Workplace } from '../workplace.ts'
import type { AskWish } from './jobs.ts'

// What stands where the video of a question stands that is asked over all of them.
export async function libraryVideo({ served }: Pick<Workplace, 'served'>): Promise<Job['video']> {
  const videos = await served.runtime.library.list()
  const duration = videos.reduce((sum, video) => sum + video.duration, 0)
  return { id: libraryGraph, name: countPhrase(videos.length, 'video'), duration }
}

// `within`: a folder; only its videos are asked.
export async function beginLibraryAsk(place: Workplace, wish: Omit<AskWish, 'session' | 'turns'>): Promise<Job> {
  checkWish(wish)
  if (wish.question?.until !== undefined)
    throw new Refused('usage', '"until" is a time of one video, and several are asked.', 'Name one as "video".')
  return place.jobs.ask(await libraryVideo(place), { ...wish, library: true })
}

function checkWish({ question = { text: '' } }: Pick<AskWish, 'question'>): void {
  checkQuestion(question)
  const same = question.options?.find((option, at, all) => all.indexOf(option) < at)
  if (same !== undefined)
    throw new Refused('usage', `Two options are ${JSON.stringify(same.slice(0, 100))}.`, 'Name each once.')
}

// Begins the job of a question once what can be checked beforehand is right.
export async function beginAsk({ jobs, sessions }: Workplace, video: Video, wish: AskWish): Promise<Job> {
  checkWish(wish)
  const { until } = wish.question ?? {}
  if (until !== undefined && (until <= 0 || until > video.duration))
    throw new Refused(
      'usage',
      `"until" must be a time up to ${formatMoment(video.duration)}, got ${formatMoment(until)}.`,
      'Name a time in it.',
    )
  if (until !== undefined && wish.session !== undefined)
    throw new Refused(
      'usage',
      'A "session" may know what comes after "until".',
      'Leave one of them out; a question that stands alone needs no session.',
    )
  const storedSession = wish.session === undefined ? undefined : await sessions.find(wish.session)
  if (storedSession && storedSession.video.id !== video.id)
    throw new Refused('conflict', `The session is about ${storedSession.video.name}.`, 'Choose another name.')
  return jobs.ask(video, wish)
}
