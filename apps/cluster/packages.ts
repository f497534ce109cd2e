import { errorCode, errorText, UsageError } from '../../src/core/errors.ts'

// What a cluster needs and longtake does not bring. The versions are those of package.json, which npm does not tell of by itself.
export const clusterPackages = { pg: '8.23.1', 'pg-boss': '12.35.0', aws4fetch: '1.0.20' } as const

const packages = Object.entries(clusterPackages).map(([name, version]) => `${name}@${version}`)
export const installHint = `Where longtake is installed, run: npm install ${packages.join(' ')} (with -g for a global longtake)`

// `load` is an import(), so that whoever has no cluster loads nothing of it.
export async function clusterPackage<T>(name: keyof typeof clusterPackages, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND' || !errorText(error).includes(`'${name}'`)) throw error
    throw new UsageError(`The package ${name}, which a cluster needs, is not installed.`, {
      cause: error,
      hint: installHint,
    })
  }
}
