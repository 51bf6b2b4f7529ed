@NullMarked
package dev.heddle.output;

import org.jspecify.annotations.NullMarked;
