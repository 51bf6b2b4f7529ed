/**
 * A file that is imported in two phases: its parts are parsed side by side, each a job of its own, and one result is made
 * of what became of them. Start at {@link dev.heddle.examples.imports.SalesImport}.
 */
@NullMarked
package dev.heddle.examples.imports;

import org.jspecify.annotations.NullMarked;
