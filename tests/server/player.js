// Runs in a bare page of the server's origin: a player, and what it shows.

globalThis.openPlayer = async (address, how) => {
  const video = document.querySelector('video')
  globalThis.player?.destroy()
  globalThis.player = undefined
  const ready = new Promise((resolve, reject) => {
    video.onloadeddata = resolve
    video.onerror = () => reject(new Error(video.error.message))
  })
  if (how === 'hls.js') {
    globalThis.player = new globalThis.Hls({ enableWorker: false })
    globalThis.player.loadSource(address)
    globalThis.player.attachMedia(video)
  } else video.src = address
  await ready
  return video.duration
}

// The top of the picture that is on screen after a seek, and how many milliseconds it took.
globalThis.seekTo = async second => {
  const video = document.querySelector('video')
  const began = performance.now()
  const shown = new Promise(resolve => {
    video.requestVideoFrameCallback(resolve)
  })
  const seeked = new Promise(resolve => {
    video.onseeked = resolve
  })
  video.currentTime = second
  await Promise.all([shown, seeked])
  const took = performance.now() - began
  const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight)
  const context = canvas.getContext('2d')
  context.drawImage(video, 0, 0)
  const lines = Math.ceil(video.videoHeight / 6)
  return { pixels: [...context.getImageData(0, 0, canvas.width, lines).data], width: canvas.width, took }
}
