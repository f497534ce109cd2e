import { libraryGraph } from '../../../../graphs/index.ts'
import type { Job } from '../../../../src/core/api/job.ts'
import { Refused } from '../../../../src/core/api/problem.ts'
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

export async function beginLibraryAsk(place: Workplace, wish: Omit<AskWish, 'session' | 'turns'>): Promise<Job> {
  checkQuestion(wish.question ?? { text: '' })
  return place.jobs.ask(await libraryVideo(place), { ...wish, library: true })
}

// Begins the job of a question once what can be checked beforehand is right.
export async function beginAsk({ jobs, sessions }: Workplace, video: Video, wish: AskWish): Promise<Job> {
  checkQuestion(wish.question ?? { text: '' })
  const storedSession = wish.session === undefined ? undefined : await sessions.find(wish.session)
  if (storedSession && storedSession.video.id !== video.id)
    throw new Refused('conflict', `The session is about ${storedSession.video.name}.`, 'Choose another name.')
  return jobs.ask(video, wish)
}
