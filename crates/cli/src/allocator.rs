//! The allocator of the command: mimalloc, called without an alignment where none is needed.
//!
//! Exploration and grounding make very many small values, which is what mimalloc is made for. Its usual wrapper asks
//! for an alignment each time; whenever a page is full, that takes a slow way through a larger block. Measured on
//! checks of specifications, 3 to 5 % of the time.

#![expect(unsafe_code, reason = "an allocator is unsafe by nature; the gain is measured above")]

use std::alloc::{GlobalAlloc, Layout};

use libmimalloc_sys as mi;

use crate::memory;

/// Run before `main`, and so before the first allocation: the command's own arguments alone would touch several huge
/// pages, and to clear them took a quarter of the time of a small check.
// SAFETY: the linker's list of functions to call at the start has entries of this type. Nothing that needs Rust's
// runtime is called: it is one system call.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = {
    extern "C" fn before_main() {
        memory::small_pages();
    }
    before_main
};

/// Every block has at least this alignment.
const ALIGNMENT: usize = 8;

pub(crate) struct Allocator;

// SAFETY: mimalloc gives and takes blocks as `GlobalAlloc` wants it, from any thread. Its blocks are aligned to 8 bytes
// at least, whatever their size; where more is wanted, the calls that take an alignment are used. A block from either
// kind of call may be given to `mi_free`, and to either kind of `mi_realloc`.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: any size and any power of two are allowed.
        unsafe {
            if layout.align() <= ALIGNMENT {
                mi::mi_malloc(layout.size()).cast()
            } else {
                mi::mi_malloc_aligned(layout.size(), layout.align()).cast()
            }
        }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: any size and any power of two are allowed.
        unsafe {
            if layout.align() <= ALIGNMENT {
                mi::mi_zalloc(layout.size()).cast()
            } else {
                mi::mi_zalloc_aligned(layout.size(), layout.align()).cast()
            }
        }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, _: Layout) {
        // SAFETY: the block is one of ours, by the contract of `dealloc`.
        unsafe { mi::mi_free(block.cast()) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size);
        // SAFETY: the block is one of ours, by the contract of `realloc`.
        unsafe {
            if layout.align() <= ALIGNMENT {
                mi::mi_realloc(block.cast(), size).cast()
            } else {
                mi::mi_realloc_aligned(block.cast(), size, layout.align()).cast()
            }
        }
    }
}

/// Takes large pages from the first large block on.
#[inline]
fn note(size: usize) {
    if size >= memory::LARGE_BLOCK {
        memory::large_pages();
    }
}

unsafe extern "C" {
    // Of the same library; its bindings have it only together with another dependency.
    fn mi_collect(force: bool);
}

/// Gives memory that is not in use back to the system.
pub(crate) fn give_back() {
    // SAFETY: it may be called at any time; blocks in use are not touched.
    unsafe { mi_collect(true) }
}
