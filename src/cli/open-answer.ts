import { basename } from 'node:path'
import { pageAddress } from '../core/api/pages.ts'
import type { AskReport } from '../core/runtime.ts'
import { openPage } from '../runtime/open-page.ts'
import { readServeAddress } from '../store/serve/serve-address.ts'
import { readServeToken } from '../store/serve/serve-token.ts'
import type { Call } from './call.ts'

// The page of the answer at its first citation, in the browser if there is one here. It is the page of a running "longtake serve".
export async function openAnswer(call: Call, report: AskReport): Promise<void> {
  const home = await call.home()
  const path = answerPage(report)
  const url = await readServeAddress(home)
  if (url === undefined || !(await isAlive(url)))
    return call.remark(
      `--open needs the page: run "longtake serve" in another terminal. There the answer is at ${path}`,
    )
  const token = await readServeToken(home, () => '')
  const address = `${url}${path}#token=${token}`
  const { opened } = await openPage(home, address, call.world.environment) // its file stays: the browser reads it after we have ended
  if (!opened) call.remark(`No program to open a browser with was found. The answer is at\n  ${address}`)
}

function answerPage({ answer, evidence, library, video, run }: AskReport): string {
  const query = { run: basename(run) }
  if (library) return pageAddress('ask', {}, query)
  const cited = answer.sentences.flatMap(({ cites }) => cites)[0]
  const row = evidence.find(({ id }) => id === cited)
  const time = row && `${row.span.start}${row.span.end > row.span.start ? `-${row.span.end}` : ''}`
  return pageAddress('video', { video: video.id }, { t: time, row: row?.id, ...query })
}

function isAlive(url: string): Promise<boolean> {
  return fetch(`${url}/api/health`, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  )
}
