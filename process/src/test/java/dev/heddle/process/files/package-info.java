@NullMarked
package dev.heddle.process.files;

import org.jspecify.annotations.NullMarked;
