import { UsageError } from '../../../../src/core/errors.ts'

// Where a bucket is and how it is asked. Keys come only from the environment, never from an address or from settings.
export interface S3Bucket {
  address: string // s3://bucket/prefix
  bucket: string
  prefix: string // '' or 'some/folder/'
  endpoint: URL
  region: string
  style: 'path' | 'virtual'
  keys: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }
}

const form = 's3://bucket/prefix, or s3://bucket/prefix?endpoint=https://host&region=name&style=path'

export function isBucketAddress(text: string): boolean {
  return /^s3:\/\//i.test(text)
}

export function readBucket(address: string, environment: Readonly<Record<string, string | undefined>>): S3Bucket {
  const [place = '', query = ''] = address.split('?')
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/+(.*))?$/i.exec(place) ?? []
  const parameters = new URLSearchParams(query)
  const odd = [...parameters.keys()].find(name => !['endpoint', 'region', 'style'].includes(name))
  if (!bucket || odd !== undefined || place.includes('@'))
    throw new UsageError(`The address of the bucket cannot be read${bucket ? `: it has no "${odd}"` : ''}.`, {
      hint: `Write it as ${form}.`,
    })
  const named = parameters.get('endpoint') ?? environment.AWS_ENDPOINT_URL_S3 ?? environment.AWS_ENDPOINT_URL
  const region = parameters.get('region') ?? environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION ?? 'us-east-1'
  const style = parameters.get('style') ?? (named ? 'path' : 'virtual')
  if (style !== 'path' && style !== 'virtual')
    throw new UsageError(`"style" of the bucket ${bucket} must be path or virtual, not ${JSON.stringify(style)}.`)
  const prefix = path.replace(/\/+$/, '')
  return {
    address: `s3://${bucket}${prefix ? `/${prefix}` : ''}`,
    bucket,
    region,
    style,
    prefix: prefix ? `${prefix}/` : '',
    endpoint: readEndpoint(named ?? `https://s3.${region}.amazonaws.com`, bucket),
    keys: readKeys(environment, bucket),
  }
}

// The address of an object, or of the bucket where no key is given.
export function objectUrl({ endpoint, bucket, style }: S3Bucket, key = ''): URL {
  const url = new URL(endpoint)
  const path = key.split('/').map(encodeURIComponent).join('/')
  const base = url.pathname.replace(/\/+$/, '')
  if (style === 'virtual') url.hostname = `${bucket}.${url.hostname}`
  url.pathname = style === 'virtual' ? `${base}/${path}` : `${base}/${bucket}${path ? `/${path}` : ''}`
  return url
}

function readEndpoint(text: string, bucket: string): URL {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search)
    throw new UsageError(`The endpoint of the bucket ${bucket} is not a plain http or https address.`, {
      hint: 'Set AWS_ENDPOINT_URL_S3 to an address as https://s3.example.org:9000; keys go into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    })
  return url
}

function readKeys(environment: Readonly<Record<string, string | undefined>>, bucket: string): S3Bucket['keys'] {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment
  if (!accessKeyId || !secretAccessKey)
    throw new UsageError(`The keys of the bucket ${bucket} are not set.`, {
      hint: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN if there is one) on every machine that uses it.',
    })
  const { AWS_SESSION_TOKEN: sessionToken } = environment
  // They go into a header: what cannot stand there would be repeated by the error, signature and all.
  if (/[^\x21-\x7e]/.test(accessKeyId + secretAccessKey + (sessionToken ?? '')))
    throw new UsageError(
      `The keys of the bucket ${bucket} hold a space, a line break or another sign that no key has.`,
      {
        hint: 'Set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN again, without quotes and line breaks.',
      },
    )
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
}
