import { stat } from 'node:fs/promises'
import type { Need } from '../src/core/backend.ts'
import { absentAs, forbidden } from '../src/core/errors.ts'

// Whether a model file is there and holds something.
export function isFile(path: string): Promise<boolean> {
  return stat(path)
    .then(found => found.isFile() && found.size > 0)
    .catch(absentAs(false, ...forbidden))
}

// The model files that the settings of a role name; those that are not set are not needed.
export function fileNeeds(role: string, files: Record<string, string | undefined>): Need[] {
  return Object.entries(files).flatMap(([setting, file]) => {
    if (!file) return []
    const mend = `Set models.${role}.${setting} to where it lies.`
    return [{ name: `the ${setting} file ${file}`, met: () => isFile(file), mend }]
  })
}
