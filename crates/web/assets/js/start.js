// The casino's script: live regions, forms, keys. Every page works without it.
"use strict";
(() => {
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const one = (selector, root = document) => root.querySelector(selector);
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
// Functions that initialize elements: run on the page at the start and on every region that was replaced.
const prepare = [];
document.documentElement.classList.add("js");

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}
