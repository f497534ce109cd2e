import type { Job } from '../../../../src/core/api/job.ts'
import { Refused } from '../../../../src/core/api/problem.ts'
import type { Video } from '../../../../src/core/video.ts'
import { checkQuestion } from '../../../../src/text/question/check-question.ts'
import type { Workplace } from '../workplace.ts'
import type { AskWish } from './jobs.ts'

// Begins the job of a question once what can be checked beforehand is right.
export async function beginAsk({ jobs, sessions }: Workplace, video: Video, wish: AskWish): Promise<Job> {
  checkQuestion(wish.question ?? { text: '' })
  const storedSession = wish.session === undefined ? undefined : await sessions.find(wish.session)
  if (storedSession && storedSession.video.id !== video.id)
    throw new Refused('conflict', `The session is about ${storedSession.video.name}.`, 'Choose another name.')
  return jobs.ask(video, wish)
}
