@NullMarked
package dev.heddle.process.linux;

import org.jspecify.annotations.NullMarked;
