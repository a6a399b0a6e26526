const ignore = (): void => {}

/** Prism needs a logger that can make children and has a level `success`. */
export const silentLogger = {
  success: ignore,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  fatal: ignore,
  child: () => silentLogger,
}
