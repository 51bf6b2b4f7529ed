@NullMarked
package dev.heddle.process.environment;

import org.jspecify.annotations.NullMarked;
