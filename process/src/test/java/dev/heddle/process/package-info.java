@NullMarked
package dev.heddle.process;

import org.jspecify.annotations.NullMarked;
