import { join } from 'node:path'
import { UsageError } from '../../../../src/core/errors.ts'
import { fullHash } from '../../../../src/media/file/full-hash.ts'
import { probe } from '../../../../src/media/probe/probe.ts'
import { listNames } from '../../../../src/store/read-file.ts'
import { readMadeSet } from '../../../data/benchmark-json.ts'
import { readOptions } from '../../../runner/options.ts'
import { loadRecipe } from '../../load-recipe.ts'
import { isSet, readMakeRequest } from '../../read-wish.ts'
import { writeSet } from '../../set/write-set.ts'
import { videoIds } from '../../source/inputs.ts'
import { readSourceRecords, type SourceVideo } from '../../source/read-source.ts'
import { noModels } from '../fix.ts'
import { requireForm } from './written.ts'

// A making that was stopped after its videos were read (--until source) becomes a set without questions, for people to fill.
export async function ensureSet(folder: string, signal: AbortSignal): Promise<void> {
  if (await readMadeSet(folder)) return
  const wish = await readMakeRequest({ set: folder })
  const recipe = await loadRecipe(wish.recipe)
  requireForm(recipe)
  const begun = (await listNames(join(folder, 'made'))).find(name => /^\d+-.*\.jsonl$/.test(name))
  if (begun !== undefined)
    throw new UsageError(`${folder} was stopped while its questions were made: made/${begun} is there.`, {
      hint: `Make it whole first: longtake bench make --resume ${folder}`,
    })
  const records = await readSourceRecords(folder)
  const ids = [...videoIds(wish.from.filter(path => !isSet(path)))].filter(([id]) => !wish.exclude.includes(id))
  const unread = ids.find(([id]) => !records.some(({ video_id }) => video_id === id))
  if (unread || ids.length === 0)
    throw new UsageError(
      `${folder} was stopped before its videos were read: ${unread?.[1] ?? 'it has none of its own'}.`,
      {
        hint: `Go on with: longtake bench make --resume ${folder} --until source`,
      },
    )
  const videos: SourceVideo[] = []
  for (const [id, path] of ids) {
    const { duration, bytes } = await probe(path)
    const name = records.find(({ video_id }) => video_id === id)?.video ?? id
    videos.push({ id, path, name, bytes, sha256: (await fullHash(path, signal)).sha256, duration })
  }
  await writeSet({
    folder,
    recipe,
    wish,
    settings: readOptions(recipe, wish.options),
    sources: { videos, records },
    items: [],
    drafted: 0,
    rejected: [],
    models: noModels,
    author: 'people',
    copy: false,
    signal,
    checks: {
      flags: [],
      warnings: [],
      accuracy: {},
      notRun: recipe.checks.flatMap(({ check: { name, role } }) =>
        role ? [`${name}: people wrote, and it asks a model`] : [],
      ),
    },
  })
}
