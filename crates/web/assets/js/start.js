// Baize in the browser: live regions, forms, keys. Everything works without it, only slower.
"use strict";
(() => {
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const one = (selector, root = document) => root.querySelector(selector);
const calm = matchMedia("(prefers-reduced-motion: reduce)");
// Functions that prepare new elements; run over the page at the start and over every region that changed.
const prepare = [];
document.documentElement.classList.add("js");

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}
