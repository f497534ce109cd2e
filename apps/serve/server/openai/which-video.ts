import { stableJson } from '../../../../src/core/json.ts'
import type { Video } from '../../../../src/core/video.ts'
import { pathInFolder } from '../../work/videos/find-video.ts'
import { type NamedFile, openNamed, videosNamed } from '../../work/videos/name-video.ts'
import { ModelError } from './errors.ts'
import { videoOfFile } from './files.ts'
import type { ChatTurn, VideoName } from './messages.ts'
import { videoOfModel } from './models.ts'
import type { Own } from './parameters.ts'
import type { ModelParts } from './parts.ts'

// Every name that a request has for its video.
export function videoNames({ model, video_id: id, metadata }: Own, said: readonly ChatTurn[]): VideoName[] {
  const names = [videoOfModel(model), id, metadata?.video_id].filter(name => typeof name === 'string' && name !== '')
  return [...names.map(name => ({ by: 'name', name: name as string }) as const), ...said.flatMap(one => one.names)]
}

// All names must mean the same video. Where none is given, a library of one video leaves no doubt.
export async function findRequestVideo(
  parts: ModelParts,
  names: readonly VideoName[],
  signal: AbortSignal,
): Promise<Video> {
  const { library } = parts.served.runtime
  if (names.length === 0) {
    const all = await library.list()
    const [only] = all
    if (only && all.length === 1) return only
    const listed = all.slice(0, 20).map(({ name }) => name)
    const more = all.length > listed.length ? ` and ${all.length - listed.length} more` : ''
    throw new ModelError(400, 'video_missing', 'The request names no video.', {
      param: 'video_id',
      hint:
        all.length === 0
          ? 'The library is empty: name a file with "video_id", or upload it to /v1/files.'
          : `Send "video_id", or the model "longtake/NAME", with one of: ${listed.join(', ')}${more}.`,
    })
  }
  const [firstName, ...otherNames] = new Map(names.map(name => [stableJson(name), name])).values()
  const first = await named(parts, firstName as VideoName, signal)
  for (const name of otherNames) {
    const other = await named(parts, name, signal)
    if (other.id === first.id) continue
    throw new ModelError(400, 'video_ambiguous', `The request names ${first.name} and ${other.name}.`, {
      param: 'video_id',
      hint: 'A question is about one video.',
    })
  }
  return first
}

async function named(parts: ModelParts, name: VideoName, signal: AbortSignal): Promise<Video> {
  const { served, folders } = parts
  if (name.by === 'file') return videoOfFile(parts, name.file, signal)
  if (name.by === 'path') {
    const path = await pathInFolder(folders, name.path, undefined)
    return openNamed(served, { path }, signal)
  }
  const fitting = await videosNamed(served, folders, name.name)
  const [first] = fitting
  if (!first) throw notFound(name.name)
  if (fitting.length > 1) throw ambiguous(name.name, fitting)
  return openNamed(served, first, signal)
}

function notFound(name: string): ModelError {
  return new ModelError(404, 'video_not_found', `There is no video ${JSON.stringify(name)}.`, {
    param: 'video_id',
    hint: 'GET /v1/models lists those with an index; others are named by a file below a folder of the server.',
  })
}

function ambiguous(name: string, fitting: readonly NamedFile[]): ModelError {
  const candidateIds = fitting.flatMap(({ video }) => video?.id ?? [])
  return new ModelError(409, 'video_ambiguous', `${fitting.length} videos are named ${JSON.stringify(name)}.`, {
    param: 'video_id',
    hint:
      candidateIds.length > 0
        ? `Send the id of one: ${candidateIds.slice(0, 8).join(', ')}.`
        : 'Send the whole name of the file.',
  })
}
