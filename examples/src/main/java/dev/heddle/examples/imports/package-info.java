/**
 * A file import in two phases: child jobs parse the parts in parallel, and the parent combines their results. Start at
 * {@link dev.heddle.examples.imports.SalesImport}.
 */
@NullMarked
package dev.heddle.examples.imports;

import org.jspecify.annotations.NullMarked;
