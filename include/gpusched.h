// gpusched: GPU hardware-scheduler models, all of them. The contract for every function is in gpusched_base.h.
// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-gen

#ifndef GPUSCHED_H
#define GPUSCHED_H

#include "gpusched_apogee.h"
#include "gpusched_base.h"
#include "gpusched_bubble.h"
#include "gpusched_catalogue.h"
#include "gpusched_coalescer.h"
#include "gpusched_dgb.h"
#include "gpusched_equalizer_fm.h"
#include "gpusched_equalizer_sm.h"
#include "gpusched_frontend.h"
#include "gpusched_laperm.h"
#include "gpusched_mascar.h"
#include "gpusched_models.h"
#include "gpusched_monte.h"
#include "gpusched_plugin.h"
#include "gpusched_scoreboard.h"
#include "gpusched_stack.h"
#include "gpusched_tlp.h"
#include "gpusched_tlp_leftover.h"
#include "gpusched_tlp_pool.h"
#include "gpusched_tlp_sm.h"
#include "gpusched_tlp_smart_even.h"
#include "gpusched_tlp_smc.h"

#endif  // GPUSCHED_H
