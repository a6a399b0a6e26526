/**
 * The modules that a text names: `import`, `import type`, `export … from`, `import()` and `typeof import()`.
 * Comments are no code. It reads what the formatter writes: a statement begins a line, names stand in quotes.
 */
export const importsOf = (text: string): readonly string[] => {
  const code = text.replace(/^\s*\/\/.*$|\/\*[\s\S]*?\*\//gm, '')
  const statements = /^(?:import|export)\b(?:[^'"`;=()]*?\bfrom)?\s*(['"])([^'"\n]+)\1/gm
  const expressions = /\bimport\(\s*(['"])([^'"\n]+)\1/g
  return [...code.matchAll(statements), ...code.matchAll(expressions)].map(match => match[2] ?? '')
}
