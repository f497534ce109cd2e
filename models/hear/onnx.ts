import type { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import { UsageError } from '../../src/core/errors.ts'
import type { Listener } from '../../src/core/services.ts'
import { chatModelNames } from '../chat/onnx/models.ts'
import onnxChat, { onnxChatSettings } from '../chat/onnx.ts'
import { modelSetting } from '../hub/hub-model.ts'
import { captionListener, captionSettings } from './captions.ts'
import { Loudness } from './loudness.ts'

// What Gemma's sound encoder takes in one piece; of more it hears the beginning.
const longest = 30 // seconds

const settings = onnxChatSettings.omit({ toolMode: true, kind: true, model: true }).extend({
  model: modelSetting(chatModelNames, 'gemma-3n-e2b'),
  ...captionSettings(longest),
})
type Settings = z.infer<typeof settings>

const chatOf = ({ captionSeconds: _, questionSeconds: __, ...rest }: Settings) => ({
  ...rest,
  kind: 'vision' as const,
  toolMode: 'native' as const,
})

// A chat model of this machine that listens. It is the one that plans and looks where those roles are set to the same files.
const onnx: Backend<Listener, Settings> = {
  summary: 'a chat model on this machine that listens: captions and answers, without any server',
  version: '2',
  settings,
  // As the chat roles resolve it: with other files the weights would be held twice.
  async resolve(chosen, host) {
    const chat = await onnxChat.resolve?.(chatOf(chosen), host)
    return { ...chosen, precision: chat?.precision }
  },
  needs: chosen => onnxChat.needs?.(chatOf(chosen)) ?? [],
  async open(chosen, host) {
    const model = await onnxChat.open(chatOf(chosen), host)
    if (!model.accepts.has('audio')) {
      await model.close?.()
      throw new UsageError(`${model.id} does not listen: it has no onnx/audio_encoder of that precision.`, {
        hint: 'Set the model to one that listens (gemma-3n-e2b), or precision.audio_encoder to a file that it has.',
      })
    }
    const { captionSeconds, questionSeconds } = chosen
    // A model asked about silence makes something up, and takes its time.
    return captionListener(model, {
      captionSeconds,
      questionSeconds,
      atOnce: 1,
      maxTokens: 128,
      asks: Loudness.isAudible,
    })
  },
}

export default onnx
