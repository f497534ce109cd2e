import { serveThread } from '../../models/onnx/serve-thread.ts'

// A model in a thread of its own that takes its time and no processor, as one on a card does.
serveThread<{ kind: 'run'; milliseconds: number }>({
  async work({ milliseconds }) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
    return {}
  },
})
