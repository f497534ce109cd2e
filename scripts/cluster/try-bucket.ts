import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { isBucketAddress } from '../../apps/cluster/store/s3/address.ts'

// Runs the conformance suite of the stores against a true bucket, below a name of its own, and removes what it has put there. Keys, region
// and endpoint come from the usual AWS variables.
// npm run cluster:s3 -- s3://bucket/prefix
const [address = ''] = process.argv.slice(2)
if (!isBucketAddress(address)) throw new Error('Name a bucket: npm run cluster:s3 -- s3://bucket/prefix')
const [place = '', query] = address.split('?')
const bucketAddress = `${place.replace(/\/+$/, '')}/longtake-try-${randomBytes(4).toString('hex')}${query ? `?${query}` : ''}`
const vitest = spawn('npx', ['vitest', 'run', 'tests/cluster/store.test.ts', '-t', 'a true bucket'], {
  env: { ...process.env, LONGTAKE_TEST_BUCKET: bucketAddress },
  stdio: 'inherit',
})
const [code] = await once(vitest, 'exit')
process.exitCode = Number(code ?? 1)
