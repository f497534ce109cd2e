import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { modelFolder } from '../../../../models/hub/model-folder.ts'
import type { Host, Need } from '../../../core/backend.ts'

const runtime = 60 // MB of ONNX Runtime and a thread
const share = 1.3 // of its file that an open model takes with what goes through it

// What the models of a backend take, MB, from the size of their files; a backend without any takes little.
export async function modelMegabytes(needs: readonly Need[], host: Host): Promise<number> {
  let bytes = 0
  for (const { model } of needs) {
    const folder = model && (await modelFolder(model, host))
    for (const file of folder ? model.files : [])
      bytes += await stat(join(folder as string, file)).then(
        found => found.size,
        () => 0,
      )
  }
  return bytes === 0 ? 20 : runtime + (bytes / 1e6) * share
}
