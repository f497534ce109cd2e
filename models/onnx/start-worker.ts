import { Worker } from 'node:worker_threads'

// Starts the file of this name beside the caller, as compiled JavaScript or, in a checkout, as TypeScript through tsx.
// Node 20 does not run the loaders of --import on a worker's first file, so the first file is one line that loads tsx.
export function startWorker(name: string, caller: string, workerData: unknown): Worker {
  if (!caller.endsWith('.ts')) return new Worker(new URL(`${name}.js`, caller), { workerData })
  const tsx = import.meta.resolve('tsx/esm/api')
  const file = new URL(`${name}.ts`, caller).href
  return new Worker(`import(${JSON.stringify(tsx)}).then(tsx => (tsx.register(), import(${JSON.stringify(file)})))`, {
    eval: true,
    execArgv: [],
    workerData,
  })
}
