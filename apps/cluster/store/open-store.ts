import { isAbsolute } from 'node:path'
import { UsageError } from '../../../src/core/errors.ts'
import type { ArtifactStore } from './artifact-store.ts'
import { openFolderStore } from './folder-store.ts'
import { isBucketAddress, readBucket } from './s3/address.ts'

// The store at an address: a folder that all machines see, or a bucket.
export async function openStore(
  address: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ArtifactStore> {
  if (isBucketAddress(address)) {
    const { openS3Store } = await import('./s3/store.ts')
    return openS3Store(readBucket(address, environment))
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address) || !isAbsolute(address))
    throw new UsageError('The store is neither an absolute folder nor an s3:// address.', {
      hint: 'Set cluster.store (LONGTAKE_STORE) to a folder that every machine sees, as /mnt/nas/longtake, or to s3://bucket/prefix.',
    })
  return openFolderStore(address)
}
