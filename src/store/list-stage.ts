import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { StageMeta } from '../core/stage.ts'
import { checkStage } from './stage-check.ts'

// All whole results of one stage of a video, whatever they were made from.
export async function listStage(videoFolder: string, stage: string): Promise<StageMeta[]> {
  const keys = await readdir(join(videoFolder, 'stages', stage)).catch(() => [])
  const checks = await Promise.all(keys.map(key => checkStage(videoFolder, stage, key, 'sizes')))
  return checks.flatMap(check => (check.state === 'whole' ? [check.meta] : []))
}

// The same of every stage.
export async function listStages(videoFolder: string): Promise<StageMeta[]> {
  const stages = await readdir(join(videoFolder, 'stages')).catch(() => [])
  return (await Promise.all(stages.map(stage => listStage(videoFolder, stage)))).flat()
}
