for (const run of prepare) run(document);
listen();
apiPage();
})();
