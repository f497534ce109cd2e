import type { Call } from '../../src/cli/call.ts'
import type { CommandRun } from '../../src/cli/command.ts'
import { exitCodes } from '../../src/cli/fail.ts'
import { result, watching } from '../../src/cli/output.ts'
import { saveFile } from '../../src/cli/save-file.ts'
import { alignColumns } from '../../src/cli/show/format.ts'
import { visibleFileName, visibleLine } from '../../src/core/words/visible-text.ts'
import { findVideoRoot } from '../data/find-videos.ts'
import { fetchMissing, listWantedVideos, type VideoWish, type WantedVideo } from '../runner/videos/list-videos.ts'
import { lockVideos, readLock, verifyVideos } from '../runner/videos/video-lock.ts'
import { type ListForm, writtenList } from '../runner/videos/written-list.ts'
import { defaultData, readMapOption } from './bench-request.ts'

const maxRows = 40

const videos: CommandRun = async call => {
  const benchmark = call.argument()
  const wish = {
    benchmark,
    data: call.path('--data') ?? (await defaultData(call, benchmark)),
    videos: call.path('--videos'),
    split: call.text('--split'),
    limit: call.integer('--limit'),
    map: await readMapOption(call),
  }
  const host = { ...(await call.host()), config: await call.settings() }
  const wantedVideos = call.has('--get')
    ? await watching(call, watch => fetchMissing(wish, host, watch))
    : await listWantedVideos(wish)
  const missing = wantedVideos.filter(({ path }) => path === undefined)
  const listed = call.has('--missing') ? missing : wantedVideos
  const verify = call.path('--verify')
  if (verify !== undefined) return verified(call, listed, verify)
  const lock = call.path('--lock')
  if (lock !== undefined) return locked(call, listed, lock)
  const form = call.text('--format') as ListForm | undefined
  if (form !== undefined) await list(call, form, wish, listed)
  else summary(call, wantedVideos, missing)
  return missing.length > 0 ? exitCodes.partial : exitCodes.ok
}

function summary(call: Call, wanted: readonly WantedVideo[], missing: readonly WantedVideo[]): void {
  const fetchable = missing.filter(({ address, error }) => address !== undefined && error === undefined)
  const rows = missing.map(({ video, questions, address, error }) => [
    visibleFileName(video),
    String(questions),
    visibleLine(error ?? address ?? 'the data name no address'),
  ])
  const listed = call.has('--missing') ? missing : wanted
  result(call, { benchmark: call.argument(), videos: listed }, [
    `${wanted.length} videos, ${wanted.length - missing.length} of them are there.`,
    ...(rows.length > 0 ? alignColumns([['missing', 'questions', 'address'], ...rows.slice(0, maxRows)]) : []),
    ...(rows.length > maxRows ? [`and ${rows.length - maxRows} more (all of them in --json)`] : []),
    ...(fetchable.length > 0 ? [`${fetchable.length} of them can be fetched: add --get.`] : []),
  ])
}

async function list(call: Call, form: ListForm, wish: VideoWish, shown: readonly WantedVideo[]): Promise<void> {
  const out = call.path('--out')
  const { fetch } = (await call.settings()).settings
  const text = writtenList(form, shown, {
    benchmark: wish.benchmark,
    root: await findVideoRoot(wish.data, wish.videos),
    file: out ?? 'videos.txt',
    height: fetch.height,
  })
  if (out === undefined) return call.terminal.out(text)
  await saveFile('--out', out, text)
  call.remark(`Wrote ${visibleFileName(out)}.`)
}

const looking = (call: Call) => ({
  onVideo: (done: number, total: number) => call.terminal.draw([`looking at ${done} of ${total} videos`]),
  signal: call.signal,
})

async function locked(call: Call, videos: readonly WantedVideo[], file: string): Promise<number> {
  const { lock, broken } = await lockVideos(call.argument(), videos, looking(call))
  await saveFile('--lock', file, `${JSON.stringify(lock, null, 2)}\n`)
  const [there, all] = [Object.keys(lock.videos).length, videos.length]
  result(call, { file, ...lock, broken }, [
    ...faultLines(broken),
    `${there} of ${all} videos are in ${visibleFileName(file)}${broken.length > 0 ? `; ${broken.length} cannot be read` : ''}.`,
  ])
  return there < all ? exitCodes.partial : exitCodes.ok
}

async function verified(call: Call, videos: readonly WantedVideo[], file: string): Promise<number> {
  const checks = await verifyVideos(videos, await readLock(file), looking(call))
  const count = (state: string) => checks.filter(one => one.state === state).length
  const wrong = checks.filter(({ state }) => state !== 'equal' && state !== 'same' && state !== 'missing')
  result(call, { file, videos: checks }, [
    `${count('equal')} videos are equal byte by byte, ${count('same')} the same by length and rate, ${count('other')} another copy, ${count('missing')} missing, ${count('broken')} broken, ${count('unknown')} not in the list.`,
    ...faultLines(wrong),
    ...(count('other') > 0 ? ['Questions about another copy are asked; the times of their clues are doubtful.'] : []),
  ])
  return count('equal') + count('same') < checks.length ? exitCodes.partial : exitCodes.ok
}

function faultLines(wrong: Awaited<ReturnType<typeof verifyVideos>>): string[] {
  if (wrong.length === 0) return []
  const rows = wrong
    .slice(0, maxRows)
    .map(one => [visibleFileName(one.video), one.state, visibleLine(one.detail ?? '')])
  return [
    ...alignColumns(rows),
    ...(wrong.length > maxRows ? [`and ${wrong.length - maxRows} more (all of them in --json)`] : []),
  ]
}

export const benchVideosCommands = { videos }
