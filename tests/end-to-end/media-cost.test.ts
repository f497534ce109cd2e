import { afterAll, beforeAll, expect, test } from 'vitest'
import { measureCommand, mediaStage } from '../../scripts/perf/measure.ts'
import { type MediaFolder, mediaFolder } from '../media-fixtures.ts'

let media: MediaFolder
beforeAll(() => {
  media = mediaFolder()
})
afterAll(() => media.remove())

// Processor time, not wall clock: it holds on a busy machine too. The figures are in docs/performance.md; this is only a fence.
test('the media stage costs less than two and a half times what decoding alone does', async () => {
  const coding = '-c:v libx264 -preset ultrafast -crf 18 -pix_fmt yuv420p -g 60'
  const noise = ['-f', 'lavfi', '-i', 'testsrc2=s=1280x720:r=30:d=25,noise=alls=4:allf=t']
  const path = media.ffmpeg('cost.mp4', noise, coding)
  const nothing = media.ffmpeg('nothing.mp4', ['-f', 'lavfi', '-i', 'testsrc2=s=64x36:d=0.2'], coding)
  const stage = (file: string) => measureCommand(mediaStage(file))
  const decode = await measureCommand(`ffmpeg -nostdin -v error -i ${path} -map 0:v -f null -`)
  const [started, ours] = [await stage(nothing), await stage(path)]
  expect((ours.cpu - started.cpu) / decode.cpu).toBeLessThan(2.5)
  expect(ours.megabytes).toBeLessThan(450)
})
