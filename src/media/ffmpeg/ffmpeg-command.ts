import type { Video } from '../../core/video.ts'
import { fileInput, safeInput } from './input-options.ts'

export interface FfmpegCommand {
  input: Pick<Video, 'path'> | { url: string }
  inputOptions?: string[]
  graph?: string[] // chains of filters, joined with ";"
  filterThreads?: number // sharing small pictures among threads costs more than it brings
  outputs: { options: string[]; pipe: number }[] // pipe 1 is standard output, 3 and up are extra pipes
}

// The argument list of one ffmpeg run: one local file in, pipes out, nothing read from the terminal, every error on a line of its own.
// fluent-ffmpeg builds it; starting, limiting and stopping the program is done by program.ts.
export async function ffmpegArguments({
  input,
  inputOptions = [],
  graph,
  filterThreads,
  outputs,
}: FfmpegCommand): Promise<string[]> {
  const { default: ffmpeg } = await import('fluent-ffmpeg')
  const command = ffmpeg('url' in input ? input.url : fileInput(input.path)).inputOptions(...safeInput, ...inputOptions)
  if (graph) command.complexFilter(graph)
  for (const { options, pipe } of outputs) command.output(`pipe:${pipe}`).outputOptions(...options)
  const threads = filterThreads ? ['-filter_complex_threads', String(filterThreads)] : []
  return ['-nostdin', '-hide_banner', '-loglevel', 'repeat+level+error', ...threads, ...command._getArguments()]
}
