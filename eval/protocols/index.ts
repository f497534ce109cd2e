import type { FrameProtocol } from './frame-request.ts'

// How each benchmark asks a model that sees frames, one line each.
const protocols: Record<string, () => Promise<{ default: FrameProtocol }>> = {
  longshot: () => import('./longshot.ts'),
  'cg-bench': () => import('./cg-bench.ts'),
  allvb: () => import('./allvb.ts'),
  infinibench: () => import('./infinibench.ts'),
  'videoeval-pro': () => import('./videoeval-pro.ts'),
  'video-mme': () => import('./choices.ts'),
  lvbench: () => import('./choices.ts'),
  mlvu: () => import('./choices.ts'),
  longvideobench: () => import('./longvideobench.ts'),
  needle: () => import('./needle.ts'),
}

export async function frameProtocolOf(benchmark: string): Promise<FrameProtocol> {
  return (await protocols[benchmark]()).default
}
