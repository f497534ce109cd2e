import type { Video } from '../../core/video.ts'
import { fileInput, safeInput } from './input-options.ts'

interface FfmpegCommand {
  input: Pick<Video, 'path'> | { url: string }
  inputOptions?: string[]
  graph?: string[] // chains of filters
  filterThreads?: number // sharing small pictures among threads costs more than it brings
  outputs: { options: string[]; pipe: number }[] // pipe 1 is standard output, 3 and up are extra pipes
}

// The argument list of one ffmpeg run: one local file in, pipes out, nothing read from the terminal, every error on a line of its own.
export function ffmpegArguments({ input, inputOptions = [], graph, filterThreads, outputs }: FfmpegCommand): string[] {
  return [
    ...['-nostdin', '-hide_banner', '-loglevel', 'repeat+level+error'],
    ...(filterThreads ? ['-filter_complex_threads', String(filterThreads)] : []),
    ...[...safeInput, ...inputOptions, '-i', 'url' in input ? input.url : fileInput(input.path)],
    ...(graph ? ['-filter_complex', graph.join(';')] : []),
    ...outputs.flatMap(({ options, pipe }) => [...options, `pipe:${pipe}`]),
  ]
}
