import { errorCode, errorText, UsageError } from '../core/errors.ts'

// The packages beside longtake, each with the commands that it brings, and their earlier names. A checkout has them all.
export const packageCommands = {
  'longtake-eval': { commands: ['bench'], earlierNames: ['ablate', 'compare'] },
  'longtake-serve': { commands: ['serve', 'mcp'], earlierNames: [] },
  'longtake-cluster': { commands: ['cluster'], earlierNames: ['worker'] },
} as const

export type PackageName = keyof typeof packageCommands

// `load` is an import() of the package; `purpose` needs it.
export async function fromPackage<Door>(name: PackageName, purpose: string, load: () => Promise<Door>): Promise<Door> {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(name, error)) throw error
    throw new UsageError(`${purpose} needs the package ${name}, which is not installed.`, {
      hint: `Where longtake is installed, run: npm install ${name} (with -g for a global longtake).`,
      cause: error,
    })
  }
}

export function isMissing(name: PackageName, error: unknown): boolean {
  return errorCode(error) === 'ERR_MODULE_NOT_FOUND' && errorText(error).includes(`'${name}'`)
}
