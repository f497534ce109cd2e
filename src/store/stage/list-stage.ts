import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { absentAs } from '../../core/errors.ts'
import type { StageMeta } from '../../core/stage.ts'
import { onDisk } from '../storage-error.ts'
import { checkStage } from './stage-check.ts'

// All whole results of one stage of a video, whatever they were made from.
export async function listStage(videoFolder: string, stage: string): Promise<StageMeta[]> {
  const keys = await namesIn(join(videoFolder, 'stages', stage))
  const checks = await Promise.all(keys.map(key => checkStage(videoFolder, stage, key, 'sizes')))
  return checks.flatMap(check => (check.state === 'whole' ? [check.meta] : []))
}

// The same of every stage.
export async function listStages(videoFolder: string): Promise<StageMeta[]> {
  const stages = await namesIn(join(videoFolder, 'stages'))
  return (await Promise.all(stages.map(stage => listStage(videoFolder, stage)))).flat()
}

function namesIn(folder: string): Promise<string[]> {
  return onDisk(`read ${folder}`, () => readdir(folder).catch(absentAs([])))
}
