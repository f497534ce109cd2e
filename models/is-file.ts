import { stat } from 'node:fs/promises'
import type { ModelNeed } from '../src/core/backend.ts'
import { absentAs } from '../src/core/errors.ts'

// Whether a model file exists and is not empty.
export async function isFile(path: string): Promise<boolean> {
  const status = await stat(path).catch(absentAs(undefined, 'ENOTDIR', 'ENAMETOOLONG'))
  return Boolean(status?.isFile() && status.size > 0)
}

// The model files that the settings of a role name; those that are not set are not needed.
export function fileNeeds(role: string, files: Record<string, string | undefined>): ModelNeed[] {
  return Object.entries(files).flatMap(([setting, file]) => {
    if (!file) return []
    const mend = `Set models.${role}.${setting} to where it lies.`
    return [{ name: `the ${setting} file ${file}`, met: () => isFile(file), mend }]
  })
}
