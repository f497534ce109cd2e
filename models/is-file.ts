import { stat } from 'node:fs/promises'

// Whether a model file is there and holds something.
export async function isFile(path: string): Promise<boolean> {
  try {
    const found = await stat(path)
    return found.isFile() && found.size > 0
  } catch {
    return false
  }
}
