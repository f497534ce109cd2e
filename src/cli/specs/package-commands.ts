import type { CommandSpec } from '../command.ts'
import { fromPackage, isMissing, type PackageName, packageCommands } from '../packages.ts'

// The commands of a package; one that is not installed has them too, and they name the line that installs it.
export async function loadPackageCommands(
  name: PackageName,
  load: () => Promise<{ commands: readonly CommandSpec[] }>,
): Promise<readonly CommandSpec[]> {
  try {
    return (await load()).commands
  } catch (error) {
    if (!isMissing(name, error)) throw error
    const { commands, earlierNames } = packageCommands[name]
    return [...commands, ...earlierNames].map(command => ({
      name: command,
      ...((earlierNames as readonly string[]).includes(command) && { isHidden: true as const }),
      summary: `Needs the package ${name}, which is not installed`,
      arguments: [{ name: 'word', about: 'its arguments', kind: 'any', values: 'text' }],
      isMissing: true,
      load: () => fromPackage(name, `longtake ${command}`, () => Promise.reject(error)),
    }))
  }
}
