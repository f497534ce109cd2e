import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { absentAs, BackendError, UsageError } from '../../src/core/errors.ts'
import { readBoundedText } from '../../src/core/machine/read-bounded.ts'
import { checkHubFile, checkRepository } from '../../src/core/model-names.ts'
import type { HubClient, HubFile } from './hub-client.ts'

const sumsFile = 'SHA256SUMS'
const maxSums = 16 * 2 ** 20 // bytes
const makeSums = `find . -type f ! -name ${sumsFile} -exec sha256sum {} + > ${sumsFile}`

// Repositories of the hub in a folder of one's own, as ORGANISATION/NAME/FILE, with the sha256 of each file in SHA256SUMS. What
// is taken from there is checked like what comes from the hub.
// `archive`: the file that the folder was unpacked from, and which messages name.
export async function folderHub(folder: string, archive?: string): Promise<HubClient> {
  const text = await readBoundedText(join(folder, sumsFile), maxSums).catch(absentAs(undefined, 'ENOTDIR'))
  if (text === undefined)
    throw new UsageError(`${archive ?? folder} has no ${sumsFile}, which names its files and their checksums.`, {
      hint: `In ${archive ? 'the folder that it is made of' : 'that folder'}, with the files of each model in ORGANISATION/NAME: ${makeSums}`,
    })
  const sums = readSums(text)
  return {
    async repository(name) {
      const inside = `${checkRepository(name)}/`
      const entries = [...sums].filter(([path]) => path.startsWith(inside)).sort(([a], [b]) => (a < b ? -1 : 1))
      if (entries.length === 0)
        throw new UsageError(`${sumsFile} of ${archive ?? folder} names no file of ${name}.`, {
          hint: archive
            ? `Make the archive again with the files of the model in ${name}, after: ${makeSums}`
            : `Put the files of the model into ${join(folder, name)}, and run in ${folder}: ${makeSums}`,
        })
      const files = await Promise.all(
        entries.map(async ([path, value]): Promise<HubFile> => {
          const file = checkHubFile(path.slice(inside.length))
          const status = await stat(join(folder, path)).catch(absentAs(undefined))
          if (!status)
            throw new UsageError(
              `${archive ? path : join(folder, path)} is in ${sumsFile} and not in the ${archive ? 'archive' : 'folder'}.`,
            )
          return { path: file, bytes: status.size, checksum: { kind: 'sha256', value } }
        }),
      )
      // Stands for these files as a commit of the hub does for its own.
      return { commit: createHash('sha1').update(JSON.stringify(entries)).digest('hex'), files }
    },
    async open(name, _commit, path, from, signal) {
      const file = join(folder, checkRepository(name), checkHubFile(path))
      return { from, body: withReason(file, createReadStream(file, { start: from, signal })) }
    },
  }
}

async function* withReason(file: string, body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    throw new BackendError(`${file} cannot be read.`, { cause })
  }
}

// As sha256sum writes them: "<hex>  ./org/name/file", or " *" before the name.
function readSums(text: string): Map<string, string> {
  const lines = text.matchAll(/^([0-9a-f]{64}) [ *](?:\.\/)?(\S.*?)\r?$/gim)
  return new Map([...lines].map(([, sum = '', path = '']) => [path, sum.toLowerCase()]))
}
