import { html as bound } from 'htm/preact'
import { render, type VNode } from 'preact'
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'

/** Markup. Interpolated values only ever become text, attributes or nested markup, never raw HTML. */
export const html: (strings: TemplateStringsArray, ...values: readonly unknown[]) => VNode = bound

export { render, useEffect, useMemo, useReducer, useRef, useState, type VNode }
