import Module, { createRequire, register } from 'node:module'

const lent = ['zod', 'longtake']
let done = false

// A tool's file may lie where no packages are installed: what it imports of zod or longtake and does not find is ours.
export function lendPackages() {
  if (done) return
  done = true
  lendToImports()
  lendToRequires()
}

function lendToImports() {
  const ours = Object.fromEntries(lent.flatMap(name => found(() => [name, import.meta.resolve(name)])))
  const hook = `const ours = ${JSON.stringify(ours)}
export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context)
  } catch (error) {
    if (!Object.hasOwn(ours, specifier)) throw error
    return { url: ours[specifier], shortCircuit: true }
  }
}`
  register(`data:text/javascript,${encodeURIComponent(hook)}`)
}

// TypeScript outside of a package of modules is loaded the older way.
function lendToRequires() {
  const { resolve } = createRequire(import.meta.url)
  const ours = new Map(lent.flatMap(name => found(() => [name, resolve(name)])))
  const own = Module._resolveFilename
  Module._resolveFilename = function (name, ...rest) {
    try {
      return own.call(this, name, ...rest)
    } catch (error) {
      const path = ours.get(name)
      if (path === undefined) throw error
      return path
    }
  }
}

// A checkout may not be able to name itself.
function found(find) {
  try {
    return [find()]
  } catch {
    return []
  }
}
