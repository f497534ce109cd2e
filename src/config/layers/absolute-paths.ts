import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { isObject } from '../../core/json.ts'
import type { Tree } from '../tree.ts'

// The same settings with the code that they name made absolute: modules, tool files, and the programs and folders of tool servers.
// What a settings file names is relative to that file, and what a flag names to the working folder. Without this, a folder of a
// stranger's videos could bring its own file of that name.
export function rootPaths(values: Tree, base: string): Tree {
  const { models, tools } = values
  return {
    ...values,
    ...(isObject(models) && { models: withModules(models, base) }),
    ...(isObject(tools) && { tools: rootedTools(tools, base) }),
  }
}

function withModules(tree: Tree, base: string): Tree {
  const entries = Object.entries(tree).map(([key, value]) => {
    if (isObject(value)) return [key, withModules(value, base)]
    return [key, key === 'module' && typeof value === 'string' ? moduleAt(value, base) : value]
  })
  return Object.fromEntries(entries)
}

// A path, or a package that is installed there; one that is not is looked for beside longtake, when it is loaded.
function moduleAt(module: string, base: string): string {
  if (/^\.{0,2}\//.test(module)) return resolve(base, module)
  if (/^[a-z][a-z+]+:/i.test(module)) return module
  try {
    return createRequire(join(base, 'settings.json')).resolve(module)
  } catch {
    return module
  }
}

function rootedTools(tools: Tree, base: string): Tree {
  const { files, servers } = tools
  return {
    ...tools,
    ...(Array.isArray(files) && {
      files: files.map(file => (typeof file === 'string' ? resolve(base, file) : file)),
    }),
    ...(isObject(servers) && {
      servers: Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, rootedServer(server, base)])),
    }),
  }
}

function rootedServer(server: unknown, base: string): unknown {
  if (!isObject(server)) return server
  const { command, folder } = server
  return {
    ...server,
    ...(typeof command === 'string' && {
      command: /^\.{1,2}[\\/]/.test(command) ? resolve(base, command) : command,
      folder: base, // of the file that names the program, unless it names another one
    }),
    ...(typeof folder === 'string' && { folder: resolve(base, folder) }),
  }
}
