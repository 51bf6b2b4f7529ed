/** Finding jobs by what was said in them: a store that is a {@link dev.heddle.search.TextIndex} keeps the words. */
@NullMarked
package dev.heddle.search;

import org.jspecify.annotations.NullMarked;
