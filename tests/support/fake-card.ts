import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GpuMemory, type OpenModel } from '../../models/onnx/card/card.ts'
import type { Device, Provider } from '../../models/onnx/device.ts'

const mebibyte = 1.048576

export interface FakeModel extends OpenModel {
  run(megabytes: number): Promise<Provider> // what it takes besides, for as long as it runs
}

// A card with a limit, MB, whose driver is a program that says how much of it is free, and whose models are refused in the words of ONNX
// Runtime. `growth`: of the file of a model when it is opened.
export function fakeCard(limit: number, { growth = 1, provider = 'cuda' as Provider } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'longtake-card-'))
  const free = join(folder, 'free')
  const asked = join(folder, 'asked')
  const driver = join(folder, 'nvidia-smi')
  writeFileSync(driver, `#!/bin/sh\necho "$@" >> ${asked}\ncat ${free}\n`)
  chmodSync(driver, 0o755)
  process.env.LONGTAKE_NVIDIA_SMI = driver
  writeFileSync(asked, '')
  let used = 0
  const opened: string[] = []
  const take = (megabytes: number) => {
    if (used + megabytes > limit) throw new Error(refusal(megabytes))
    used += megabytes
    writeFileSync(free, `${Math.floor((limit - used) / mebibyte)}\n`)
  }
  take(0)
  return {
    card: new GpuMemory(undefined, () => true, provider),
    opened,
    used: () => used,
    asked: () => readFileSync(asked, 'utf8').split('\n').filter(Boolean),
    take,
    // A file of this size that takes no room on the disk.
    file(name: string, megabytes: number): string {
      mkdirSync(join(folder, 'models'), { recursive: true })
      const path = join(folder, 'models', name)
      writeFileSync(path, '')
      truncateSync(path, megabytes * 1e6)
      return path
    },
    opener: (name: string, megabytes: number) => async (device: Device) => {
      const onCard = device !== 'cpu'
      const size = megabytes * growth
      if (onCard) take(size)
      opened.push(`${name} on ${onCard ? provider : 'cpu'}`)
      let isOpen = true
      const model: FakeModel = {
        provider: onCard ? provider : 'cpu',
        async run(more) {
          if (!isOpen) throw new Error(`${name} is closed`)
          if (onCard) take(more)
          await new Promise(resolve => setTimeout(resolve, 1))
          if (onCard) take(-more)
          return onCard ? provider : 'cpu'
        },
        async close() {
          if (isOpen && onCard) take(-size)
          isOpen = false
        },
      }
      return model
    },
    remove() {
      delete process.env.LONGTAKE_NVIDIA_SMI
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

// As of BFCArena in onnxruntime/core/framework/bfc_arena.cc.
function refusal(megabytes: number): string {
  return `Non-zero status code returned while running MatMul node. Name:'/layer/MatMul' Status Message: /onnxruntime_src/onnxruntime/core/framework/bfc_arena.cc:376 void* onnxruntime::BFCArena::AllocateRawInternal(size_t, bool, onnxruntime::Stream*, bool, onnxruntime::WaitNotificationFn) Failed to allocate memory for requested buffer of size ${Math.round(megabytes * 1e6)}`
}
